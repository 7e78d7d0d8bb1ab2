# Sends one lead as a signed webhook. Needs Ruby 3, no gems.
require "json"
require "net/http"
require "openssl"
require "securerandom"

# The secret exactly as it was shown, prefix included: no quotes, not decoded, and without the newline that files often add.
secret = ENV.fetch("LEADGATE_SECRET").gsub(/[\r\n]+\z/, "")
# Unix seconds, taken once: the same value is signed and sent.
timestamp = Time.now.to_i.to_s
# Built once: exactly these bytes are signed and sent.
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
  # Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
  "X-SVC-Idempotency-Key" => ENV.fetch("LEADGATE_IDEMPOTENCY_KEY") { SecureRandom.uuid },
}
times = { open_timeout: 10, read_timeout: 10, write_timeout: 10 }
response = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == "https", **times) do |http|
  http.post(url.request_uri, body, headers)
end
puts response.body
# Look up this ID in the diagnostics to see why a lead was rejected.
warn "Request #{response["X-Request-Id"]}"
# Only 202 means stored; a rejection is a 200.
exit 1 unless response.code == "202"
