import type { SigningStep } from './mistake-row.ts';

export const languages = ['curl', 'node', 'python', 'php', 'go', 'ruby'] as const;
export type Language = (typeof languages)[number];

/** The start of a comment line. */
export const comments: Record<Language, string> = {
  curl: '#',
  node: '//',
  python: '#',
  php: '//',
  go: '//',
  ruby: '#',
};

/**
 * The correct lines for each step of signing. They come from clients/samples/signed.*, which tests run against the
 * service; a test keeps the two in sync.
 */
export const fixLines: Record<Language, Record<SigningStep, string>> = {
  curl: {
    headers: `  curl --silent --show-error --max-time 10 "$LEADGATE_URL/api/v1/ingest/$LEADGATE_SLUG" \\
    --header 'Content-Type: application/json' \\
    --header "X-SVC-Timestamp: $timestamp" \\
    --header "X-SVC-Signature: $signature" \\
    --data-binary "$body"`,
    timestamp: 'timestamp=$(date +%s)',
    body: `body='{"name":"Ada Lovelace","email":"ada@example.com"}'
message() { printf '%s.%s' "$timestamp" "$body"; }
    --data-binary "$body"`,
    secret: `secret=$(printf %s "$LEADGATE_SECRET" | tr -d '\\r\\n')`,
    message: `message() { printf '%s.%s' "$timestamp" "$body"; }`,
    digest: `signature=$(message | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')`,
    signature: `signature=$(message | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')`,
  },
  node: {
    headers: `  headers: {
    'Content-Type': 'application/json',
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,
  },`,
    timestamp: 'const timestamp = String(Math.floor(Date.now() / 1000));',
    body: `const body = Buffer.from(JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }));
const message = Buffer.concat([Buffer.from(\`\${timestamp}.\`), body]);
  body,`,
    secret: `const secret = LEADGATE_SECRET.replace(/[\\r\\n]+$/, '');`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: sample code.
    message: 'const message = Buffer.concat([Buffer.from(`${timestamp}.`), body]);',
    digest: `const signature = createHmac('sha256', secret).update(message).digest('hex');`,
    signature: `const signature = createHmac('sha256', secret).update(message).digest('hex');`,
  },
  python: {
    headers: `    headers={
        "Content-Type": "application/json",
        "X-SVC-Timestamp": timestamp,
        "X-SVC-Signature": signature,
    },`,
    timestamp: 'timestamp = str(int(time.time()))',
    body: `body = json.dumps({"name": "Ada Lovelace", "email": "ada@example.com"}).encode("utf-8")
message = timestamp.encode() + b"." + body
    data=body,`,
    secret: 'secret = os.environ["LEADGATE_SECRET"].rstrip("\\r\\n")',
    message: 'message = timestamp.encode() + b"." + body',
    digest: 'signature = hmac.new(secret.encode("utf-8"), message, hashlib.sha256).hexdigest()',
    signature: 'signature = hmac.new(secret.encode("utf-8"), message, hashlib.sha256).hexdigest()',
  },
  php: {
    headers: `    CURLOPT_HTTPHEADER => [
        'Content-Type: application/json',
        'X-SVC-Timestamp: ' . $timestamp,
        'X-SVC-Signature: ' . $signature,
    ],`,
    timestamp: '$timestamp = (string) time();',
    body: `$body = json_encode(['name' => 'Ada Lovelace', 'email' => 'ada@example.com']);
$message = $timestamp . '.' . $body;
    CURLOPT_POSTFIELDS => $body,`,
    secret: `$secret = rtrim(getenv('LEADGATE_SECRET'), "\\r\\n");`,
    message: `$message = $timestamp . '.' . $body;`,
    digest: `$signature = hash_hmac('sha256', $message, $secret);`,
    signature: `$signature = hash_hmac('sha256', $message, $secret);`,
  },
  go: {
    headers: `	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", signature)`,
    timestamp: '	timestamp := strconv.FormatInt(time.Now().Unix(), 10)',
    body: `	body, _ := json.Marshal(map[string]string{"name": "Ada Lovelace", "email": "ada@example.com"})
	message := append([]byte(timestamp+"."), body...)
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))`,
    secret: '	secret := strings.TrimRight(os.Getenv("LEADGATE_SECRET"), "\\r\\n")',
    message: '	message := append([]byte(timestamp+"."), body...)',
    digest: `	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(message)
	signature := hex.EncodeToString(mac.Sum(nil))`,
    signature: '	signature := hex.EncodeToString(mac.Sum(nil))',
  },
  ruby: {
    headers: `headers = {
  "Content-Type" => "application/json",
  "X-SVC-Timestamp" => timestamp,
  "X-SVC-Signature" => signature,
}`,
    timestamp: 'timestamp = Time.now.to_i.to_s',
    body: `body = JSON.generate({ name: "Ada Lovelace", email: "ada@example.com" })
message = "#{timestamp}.#{body}"
  http.post(url.request_uri, body, headers)`,
    secret: 'secret = ENV.fetch("LEADGATE_SECRET").gsub(/[\\r\\n]+\\z/, "")',
    message: 'message = "#{timestamp}.#{body}"',
    digest: 'signature = OpenSSL::HMAC.hexdigest("SHA256", secret, message)',
    signature: 'signature = OpenSSL::HMAC.hexdigest("SHA256", secret, message)',
  },
};
