// Sends one lead as a signed webhook: go run signed.go
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	// The secret exactly as it was shown, prefix included: no newline, no quotes, not decoded.
	secret := os.Getenv("LEADGATE_SECRET")
	// Unix seconds, taken once: the same value is signed and sent.
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	// Made once: these very bytes are signed and sent.
	body, _ := json.Marshal(map[string]string{"name": "Ada Lovelace", "email": "ada@example.com"})

	// Timestamp, a dot, body.
	message := append([]byte(timestamp+"."), body...)
	// HMAC-SHA256 as 64 hex characters.
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(message)
	signature := hex.EncodeToString(mac.Sum(nil))

	url := os.Getenv("LEADGATE_URL") + "/api/v1/ingest/" + os.Getenv("LEADGATE_SLUG")
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", signature)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(string(text))
}
