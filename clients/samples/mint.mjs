// Creates a browser token for one of your pages, without a request. Needs Node 18 or newer, no packages.
import { createHash, createHmac, randomBytes } from 'node:crypto';

// As shown when the mint secret was created. The epoch changes when you end all browser tokens of the form.
const { LEADGATE_MINT_SECRET, LEADGATE_WORKSPACE, LEADGATE_FORM, LEADGATE_EPOCH = '1' } = process.env;
// The origin of the page that sends the lead, and the SHA-256 of the lead in hex: without it, the token fits any lead.
const { LEADGATE_ORIGIN, LEADGATE_BODY_HASH = '' } = process.env;

// Up to 300 seconds.
const validSeconds = 120;
const now = Math.floor(Date.now() / 1000);
const uuid = (text) => Buffer.from(text.replaceAll('-', ''), 'hex');

const fields = [
  // Names the secret without revealing it.
  `m${createHash('sha256').update(LEADGATE_MINT_SECRET).digest('hex').slice(0, 16)}`,
  // The version of this format.
  '1',
  uuid(LEADGATE_WORKSPACE),
  uuid(LEADGATE_FORM),
  LEADGATE_EPOCH,
  // Scheme, host and port as browsers send them: lower case, without a default port or a slash at the end.
  LEADGATE_ORIGIN,
  String(now),
  String(now + validSeconds),
  // Makes the token unique: each can create one lead.
  randomBytes(16),
  Buffer.from(LEADGATE_BODY_HASH, 'hex'),
  'backend',
].map((field) => Buffer.from(field));

// Each field after its length in two bytes, then the HMAC-SHA256 of all that.
const length = ({ byteLength }) => Buffer.from([byteLength >> 8, byteLength & 255]);
const signed = Buffer.concat(fields.flatMap((field) => [length(field), field]));
const mac = createHmac('sha256', LEADGATE_MINT_SECRET).update(signed).digest();
console.log(`ingt_br_${Buffer.concat([signed, mac]).toString('base64url')}`);
