/** Floor: node:http answering the same bytes. Arguments: port. */
import { createServer } from "node:http";

const body = JSON.stringify({ isSuccess: true, value: { pong: true } });

createServer((_request, response) => {
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(process.argv[2]), "127.0.0.1");
