// A Modbus TCP device by npm's modbus-serial: 100 holding registers. Prints its port; ends with its input.
const net = require("net");
const { ServerTCP } = require("modbus-serial");

const registers = new Array(100).fill(0);

function at(address) {
  if (address >= registers.length) {
    const e = new Error("illegal address");
    e.modbusErrorCode = 2;
    throw e;
  }
  return address;
}

const free = net.createServer();
free.listen(0, "127.0.0.1", () => {
  const port = free.address().port;
  free.close(() => {
    const server = new ServerTCP(
      {
        getHoldingRegister: (address) => registers[at(address)],
        setRegister: (address, value) => { registers[at(address)] = value; },
      },
      { host: "127.0.0.1", port, unitID: 1 });
    server.on("initialized", () => console.log(port));
    server.on("socketError", (err) => console.error(err));
  });
});

process.stdin.on("end", () => process.exit(0)).resume();
