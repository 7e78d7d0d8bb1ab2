# Sends one lead with a server token. Needs Ruby 3, and no gem.
require "json"
require "net/http"
require "securerandom"

headers = {
  "Authorization" => "Bearer #{ENV.fetch("LEADGATE_TOKEN")}",
  "Content-Type" => "application/json",
  # The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
  "X-SVC-Idempotency-Key" => ENV.fetch("LEADGATE_KEY") { SecureRandom.uuid },
}
body = JSON.generate({ name: "Ada Lovelace", email: "ada@example.com" })
url = URI("#{ENV.fetch("LEADGATE_URL")}/api/v1/ingest")
times = { open_timeout: 10, read_timeout: 10, write_timeout: 10 }
answer = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == "https", **times) do |http|
  http.post(url.request_uri, body, headers)
end
puts answer.body
# By this id the diagnostics find the reason for a rejection.
warn "Request #{answer["X-Request-Id"]}"
# Only 202 means stored: a rejection is a 200.
exit 1 unless answer.code == "202"
