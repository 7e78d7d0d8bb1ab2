<?php
// Creates a browser token for one of your pages, without a request. Needs PHP 8, no packages.

// As shown when the mint secret was created. The epoch changes when you end all browser tokens of the form.
$secret = getenv('LEADGATE_MINT_SECRET');
$workspace = hex2bin(str_replace('-', '', getenv('LEADGATE_WORKSPACE')));
$form = hex2bin(str_replace('-', '', getenv('LEADGATE_FORM')));
$epoch = getenv('LEADGATE_EPOCH') ?: '1';
// Scheme, host and port as browsers send them: lower case, without a default port or a slash at the end.
$origin = getenv('LEADGATE_ORIGIN');
// The SHA-256 of the lead in hex: without it, the token fits any lead.
$bodyHash = hex2bin(getenv('LEADGATE_BODY_HASH') ?: '');
// Up to 300 seconds.
$validSeconds = 120;
$now = time();

$fields = [
    // Names the secret without revealing it.
    'm' . substr(hash('sha256', $secret), 0, 16),
    // The version of this format.
    '1',
    $workspace,
    $form,
    $epoch,
    $origin,
    (string) $now,
    (string) ($now + $validSeconds),
    // Makes the token unique: each can create one lead.
    random_bytes(16),
    $bodyHash,
    'backend',
];

// Each field after its length in two bytes, then the HMAC-SHA256 of all that.
$signed = implode('', array_map(fn ($field) => pack('n', strlen($field)) . $field, $fields));
$mac = hash_hmac('sha256', $signed, $secret, true);
echo 'ingt_br_', rtrim(strtr(base64_encode($signed . $mac), '+/', '-_'), '='), "\n";
