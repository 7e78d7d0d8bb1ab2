<?php
// Sends one lead with a server token. Needs PHP 8 with its curl extension.

$call = curl_init(getenv('LEADGATE_URL') . '/api/v1/ingest');
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('LEADGATE_TOKEN'),
        'Content-Type: application/json',
        // The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
        'X-SVC-Idempotency-Key: ' . (getenv('LEADGATE_KEY') ?: bin2hex(random_bytes(16))),
    ],
    CURLOPT_POSTFIELDS => json_encode(['name' => 'Ada Lovelace', 'email' => 'ada@example.com']),
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
