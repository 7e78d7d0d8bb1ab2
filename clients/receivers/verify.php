<?php
// Verifies a delivery: php verify.php < body. Needs PHP 8.
// In a web server, the headers are $_SERVER['HTTP_WEBHOOK_ID'] and so on, and the body is file_get_contents('php://input').

function isFromLeadgate(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    // Without this, a recorded request could be sent again at any time.
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    // The key is the part after the prefix, decoded.
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation there are two signatures, with a space between them.
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

$isValid = isFromLeadgate(
    getenv('WEBHOOK_SECRET'),
    getenv('WEBHOOK_ID'),
    getenv('WEBHOOK_TIMESTAMP'),
    getenv('WEBHOOK_SIGNATURE'),
    stream_get_contents(STDIN),
);
echo $isValid ? "valid\n" : "invalid\n";
exit($isValid ? 0 : 1);
