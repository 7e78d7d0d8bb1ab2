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
]);
echo curl_exec($call);
