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
puts Net::HTTP.post(URI("#{ENV.fetch("LEADGATE_URL")}/api/v1/ingest"), body, headers).body
