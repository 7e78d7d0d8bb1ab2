# Sends one lead with an ingest token. Needs Ruby 3, no gems.
require "json"
require "net/http"
require "securerandom"

headers = {
  "Authorization" => "Bearer #{ENV.fetch("LEADGATE_TOKEN")}",
  "Content-Type" => "application/json",
  # Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
  "X-SVC-Idempotency-Key" => ENV.fetch("LEADGATE_IDEMPOTENCY_KEY") { SecureRandom.uuid },
}
body = JSON.generate({ name: "Ada Lovelace", email: "ada@example.com" })
url = URI("#{ENV.fetch("LEADGATE_URL")}/api/v1/ingest")
times = { open_timeout: 10, read_timeout: 10, write_timeout: 10 }
response = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == "https", **times) do |http|
  http.post(url.request_uri, body, headers)
end
puts response.body
# Look up this ID in the diagnostics to see why a lead was rejected.
warn "Request #{response["X-Request-Id"]}"
# Only 202 means stored; a rejection is a 200.
exit 1 unless response.code == "202"
