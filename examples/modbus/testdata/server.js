// A Modbus TCP server with 100 holding registers; prints its address.
const ModbusRTU = require("modbus-serial");
const regs = new Uint16Array(100);
const check = (addr) => {
  if (addr >= regs.length) {
    throw { modbusErrorCode: 2, msg: "address" };
  }
};
const server = new ModbusRTU.ServerTCP({
  getHoldingRegister: (addr) => { check(addr); return regs[addr]; },
  setRegister: (addr, value) => { check(addr); regs[addr] = value; },
}, { host: "127.0.0.1", port: 0, unitID: 1 });
server.on("initialized", () => console.log("127.0.0.1:" + server._server.address().port));
