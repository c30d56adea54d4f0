import fc from "fast-check";

const lines = [
  "GET /chains HTTP/1.1\r\n",
  "POST /quote/v2 HTTP/1.1\r\n",
  "OPTIONS * HTTP/1.1\r\n",
  "GET /ws HTTP/1.1\r\n",
  "GET http://elsewhere/chains HTTP/1.0\r\n",
  "CONNECT localhost:1 HTTP/1.1\r\n",
  "Host: localhost\r\n",
  "Connection: Upgrade\r\nUpgrade: websocket\r\n",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Expect: 100-continue\r\n",
  "\r\n",
  "\r\n{}",
  "5\r\n{   }\r\n0\r\n\r\n",
];

/** Draws malformed HTTP: lines in any order, cut off, with stray bytes. */
export const fuzzedBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { arbitrary: fc.constantFrom(...lines).map((line) => Buffer.from(line)), weight: 6 },
        { arbitrary: fc.uint8Array({ maxLength: 40 }), weight: 1 },
      ),
      { maxLength: 10, minLength: 1 },
    ),
    fc.nat({ max: 300 }),
  )
  .map(([parts, cut]) => Buffer.concat(parts).subarray(0, 600 - cut));
