// A Modbus client: node client.js tcp|rtu port
const ModbusRTU = require("modbus-serial");
const [framing, port] = process.argv.slice(2);
const client = new ModbusRTU();
client.setTimeout(5000);
(async () => {
  const options = { port: Number(port) };
  if (framing === "tcp") {
    await client.connectTCP("127.0.0.1", options);
  } else {
    await client.connectTelnet("127.0.0.1", options);
  }
  client.setID(1);
  await client.writeRegisters(2, [10, 0xffff, 0x1234]);
  await client.writeRegister(3, 77);
  const read = await client.readHoldingRegisters(1, 5);
  let refused = "accepted";
  try {
    await client.readHoldingRegisters(200, 1);
  } catch (e) {
    refused = e.modbusCode === 2 ? "illegal" : String(e);
  }
  const again = await client.readHoldingRegisters(3, 1);
  console.log(read.data.join(","), refused, again.data[0]);
  client.close(() => process.exit(0));
})().catch((e) => { console.error(e); process.exit(1); });
