import { createServer } from 'node:http';

/** The upper limit of node:http for these requests: it reads the body and sends as many bytes as the service. */
const answer = JSON.stringify({ submission_id: '00000000-0000-4000-8000-000000000000' });
const headers = { 'Content-Type': 'application/json', 'Content-Length': answer.length };

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => response.writeHead(202, headers).end(answer));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
