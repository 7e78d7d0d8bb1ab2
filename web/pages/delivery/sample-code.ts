/** Programs that sign and send a lead. They are whole: what is pasted runs. */
export interface SampleValues {
  readonly url: string;
  readonly prefix: string;
}

export const sampleLanguages = ['curl', 'Node', 'Python', 'PHP', 'Go'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

const lead = '{"name":"Ada Lovelace","email":"ada@example.com"}';

export const samples: Record<SampleLanguage, (values: SampleValues) => string> = {
  curl: ({ url, prefix }) => `SECRET='your webhook secret'
BODY='${lead}'
TIME=$(date +%s)
SIGNATURE=$(printf '%s.%s' "$TIME" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')
curl '${url}' \\
  -H 'Content-Type: application/json' \\
  -H "${prefix}Timestamp: $TIME" \\
  -H "${prefix}Signature: $SIGNATURE" \\
  --data-binary "$BODY"`,

  Node: ({ url, prefix }) => `import { createHmac } from 'node:crypto';

const secret = process.env.WEBHOOK_SECRET;
const body = JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' });
const time = Math.floor(Date.now() / 1000).toString();
const signature = createHmac('sha256', secret).update(time + '.' + body).digest('hex');

const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    '${prefix}Timestamp': time,
    '${prefix}Signature': signature,
  },
  body,
});
console.log(response.status, await response.text());`,

  Python: ({ url, prefix }) => `import hashlib, hmac, json, os, time, urllib.request

secret = os.environ["WEBHOOK_SECRET"].encode()
body = json.dumps({"name": "Ada Lovelace", "email": "ada@example.com"}).encode()
now = str(int(time.time()))
signature = hmac.new(secret, now.encode() + b"." + body, hashlib.sha256).hexdigest()

request = urllib.request.Request("${url}", data=body, headers={
    "Content-Type": "application/json",
    "${prefix}Timestamp": now,
    "${prefix}Signature": signature,
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`,

  PHP: ({ url, prefix }) => `<?php
$secret = getenv('WEBHOOK_SECRET');
$body = json_encode(['name' => 'Ada Lovelace', 'email' => 'ada@example.com']);
$time = (string) time();
$signature = hash_hmac('sha256', $time . '.' . $body, $secret);

$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Content-Type: application/json',
        '${prefix}Timestamp: ' . $time,
        '${prefix}Signature: ' . $signature,
    ],
]);
echo curl_exec($request);`,

  Go: ({ url, prefix }) => `package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	body := []byte(\`${lead}\`)
	now := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(os.Getenv("WEBHOOK_SECRET")))
	mac.Write([]byte(now + "."))
	mac.Write(body)

	request, _ := http.NewRequest("POST", "${url}", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("${prefix}Timestamp", now)
	request.Header.Set("${prefix}Signature", hex.EncodeToString(mac.Sum(nil)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Status)
}`,
};

export function curlWithToken(url: string, token: string): string {
  return `curl '${url}' \\
  -H "Authorization: Bearer ${token}" \\
  -H 'Content-Type: application/json' \\
  -d '${lead}'`;
}
