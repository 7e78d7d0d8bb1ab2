<?php
// Sends one lead as a signed webhook. Needs PHP 8 with its curl extension.

// The secret exactly as it was shown, prefix included: no quotes, not decoded, and without the newline that files often add.
$secret = rtrim(getenv('LEADGATE_SECRET'), "\r\n");
// Unix seconds, taken once: the same value is signed and sent.
$timestamp = (string) time();
// Built once: exactly these bytes are signed and sent.
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
        // Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
        'X-SVC-Idempotency-Key: ' . (getenv('LEADGATE_IDEMPOTENCY_KEY') ?: bin2hex(random_bytes(16))),
    ],
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
    // Includes X-Request-Id: look it up in the diagnostics to see why a lead was rejected.
    CURLOPT_HEADER => true,
    CURLOPT_TIMEOUT => 10,
]);
$response = curl_exec($call);
if ($response === false) {
    fwrite(STDERR, curl_error($call) . "\n");
    exit(1);
}
echo $response, "\n";
// Only 202 means stored; a rejection is a 200.
exit(curl_getinfo($call, CURLINFO_RESPONSE_CODE) === 202 ? 0 : 1);
