// A Modbus RTU server with 100 holding registers: node serial.js path
const ModbusRTU = require("modbus-serial");
const regs = new Uint16Array(100);
const check = (addr) => {
  if (addr >= regs.length) {
    throw { modbusErrorCode: 2, msg: "address" };
  }
};
new ModbusRTU.ServerSerial({
  getHoldingRegister: (addr) => { check(addr); return regs[addr]; },
  setRegister: (addr, value) => { check(addr); regs[addr] = value; },
}, { port: process.argv[2], baudRate: 115200, unitID: 1, openCallback: (e) => console.log(e ? String(e) : "open") });
