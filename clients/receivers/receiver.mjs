// Receives leads on http://localhost:8080. Needs Node 18 or newer and: npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

// The secret exactly as it was shown, prefix included.
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// Keep the IDs in your database instead: a delivery can arrive twice, also after a restart.
const known = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The bytes as they arrived: a body that was parsed and serialised again does not match.
    const event = webhook.verify(Buffer.concat(chunks), request.headers);
    const id = request.headers['webhook-id'];
    if (!known.has(id)) console.log(JSON.stringify({ id, type: event.type, data: event.data }));
    known.add(id);
    // Respond first, work later: Leadgate waits for 15 seconds.
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
});
server.listen(process.env.PORT ?? 8080, () => console.log(`listening on ${server.address().port}`));
