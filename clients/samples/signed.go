// Sends one lead as a signed webhook: go run signed.go
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	// The secret exactly as it was shown, prefix included: no quotes, not decoded, and without the newline that files often add.
	secret := strings.TrimRight(os.Getenv("LEADGATE_SECRET"), "\r\n")
	// Unix seconds, taken once: the same value is signed and sent.
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	// Built once: exactly these bytes are signed and sent.
	body, _ := json.Marshal(map[string]string{"name": "Ada Lovelace", "email": "ada@example.com"})

	// Timestamp, a dot, body.
	message := append([]byte(timestamp+"."), body...)
	// HMAC-SHA256 as 64 hex characters.
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(message)
	signature := hex.EncodeToString(mac.Sum(nil))

	// Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
	key := os.Getenv("LEADGATE_IDEMPOTENCY_KEY")
	if key == "" {
		random := make([]byte, 16)
		rand.Read(random)
		key = hex.EncodeToString(random)
	}
	url := os.Getenv("LEADGATE_URL") + "/api/v1/ingest/" + os.Getenv("LEADGATE_SLUG")
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", signature)
	request.Header.Set("X-SVC-Idempotency-Key", key)
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Look up this ID in the diagnostics to see why a lead was rejected.
	fmt.Fprintln(os.Stderr, "Request", response.Header.Get("X-Request-Id"))
	// Only 202 means stored; a rejection is a 200.
	if response.StatusCode != http.StatusAccepted {
		os.Exit(1)
	}
}
