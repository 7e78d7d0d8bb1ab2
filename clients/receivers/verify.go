// Verifies a delivery: go run verify.go < body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"
)

// isFromLeadgate takes the body as the bytes that arrived.
func isFromLeadgate(secret, id, timestamp, signatures string, body []byte) bool {
	// Without this, a recorded request could be sent again at any time.
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	// The key is the part after the prefix, decoded.
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// During a rotation there are two signatures, with a space between them.
	for _, one := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(expected), []byte(one)) {
			return true
		}
	}
	return false
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	isValid := isFromLeadgate(
		os.Getenv("WEBHOOK_SECRET"),
		os.Getenv("WEBHOOK_ID"),
		os.Getenv("WEBHOOK_TIMESTAMP"),
		os.Getenv("WEBHOOK_SIGNATURE"),
		body,
	)
	if !isValid {
		fmt.Println("invalid")
		os.Exit(1)
	}
	fmt.Println("valid")
}
