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
    ],
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($call);
