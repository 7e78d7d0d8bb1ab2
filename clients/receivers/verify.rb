# Verifies a delivery: ruby verify.rb < body. Needs Ruby 3, no gems.
require "openssl"

# body is the bytes as they arrived.
def from_leadgate?(secret, id, timestamp, signatures, body)
  # Without this, a recorded request could be sent again at any time.
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  # The key is the part after the prefix, decoded.
  key = secret.delete_prefix("whsec_").unpack1("m")
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + body.b)
  expected = "v1,#{[digest].pack("m0")}"
  # During a rotation there are two signatures, with a space between them.
  signatures.split(" ").any? { |one| OpenSSL.secure_compare(expected, one) }
end

valid = from_leadgate?(
  ENV.fetch("WEBHOOK_SECRET"),
  ENV.fetch("WEBHOOK_ID"),
  ENV.fetch("WEBHOOK_TIMESTAMP"),
  ENV.fetch("WEBHOOK_SIGNATURE"),
  $stdin.binmode.read,
)
puts valid ? "valid" : "invalid"
exit 1 unless valid
