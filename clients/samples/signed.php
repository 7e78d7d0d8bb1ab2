<?php
// Sends one lead as a signed webhook. Needs PHP 8 with its curl extension.

// The secret exactly as it was shown, prefix included: no newline, no quotes, not decoded.
$secret = getenv('LEADGATE_SECRET');
// Unix seconds, taken once: the same value is signed and sent.
$timestamp = (string) time();
// Made once: these very bytes are signed and sent.
$body = json_encode(['name' => 'Ada Lovelace', 'email' => 'ada@example.com']);

// Timestamp, a dot, body.
$message = $timestamp . '.' . $body;
// HMAC-SHA256 as 64 hex characters.
$signature = hash_hmac('sha256', $message, $secret);

$call = curl_init(getenv('LEADGATE_URL') . '/api/v1/ingest/' . getenv('LEADGATE_SLUG'));
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => [
        'Content-Type: application/json',
        'X-SVC-Timestamp: ' . $timestamp,
        'X-SVC-Signature: ' . $signature,
        // The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
        'X-SVC-Idempotency-Key: ' . (getenv('LEADGATE_KEY') ?: bin2hex(random_bytes(16))),
    ],
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
    // Shows X-Request-Id: by it the diagnostics find the reason for a rejection.
    CURLOPT_HEADER => true,
    CURLOPT_TIMEOUT => 10,
]);
$answer = curl_exec($call);
if ($answer === false) {
    fwrite(STDERR, curl_error($call) . "\n");
    exit(1);
}
echo $answer, "\n";
// Only 202 means stored: a rejection is a 200.
exit(curl_getinfo($call, CURLINFO_RESPONSE_CODE) === 202 ? 0 : 1);
