<?php
// Sends one lead with an ingest token. Needs PHP 8 with its curl extension.

$call = curl_init(getenv('LEADGATE_URL') . '/api/v1/ingest');
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('LEADGATE_TOKEN'),
        'Content-Type: application/json',
        // Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
        'X-SVC-Idempotency-Key: ' . (getenv('LEADGATE_IDEMPOTENCY_KEY') ?: bin2hex(random_bytes(16))),
    ],
    CURLOPT_POSTFIELDS => json_encode(['name' => 'Ada Lovelace', 'email' => 'ada@example.com']),
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
