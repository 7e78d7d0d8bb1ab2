# Sends one lead as a signed webhook. Needs Ruby 3, and no gem.
require "json"
require "net/http"
require "openssl"

# The secret exactly as it was shown, prefix included: no newline, no quotes, not decoded.
secret = ENV.fetch("LEADGATE_SECRET")
# Unix seconds, taken once: the same value is signed and sent.
timestamp = Time.now.to_i.to_s
# Made once: these very bytes are signed and sent.
body = JSON.generate({ name: "Ada Lovelace", email: "ada@example.com" })

# Timestamp, a dot, body.
message = "#{timestamp}.#{body}"
# HMAC-SHA256 as 64 hex characters.
signature = OpenSSL::HMAC.hexdigest("SHA256", secret, message)

url = URI("#{ENV.fetch("LEADGATE_URL")}/api/v1/ingest/#{ENV.fetch("LEADGATE_SLUG")}")
headers = {
  "Content-Type" => "application/json",
  "X-SVC-Timestamp" => timestamp,
  "X-SVC-Signature" => signature,
}
puts Net::HTTP.post(url, body, headers).body
