// Sends one lead with a server token: go run token.go
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	// The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
	key := os.Getenv("LEADGATE_KEY")
	if key == "" {
		random := make([]byte, 16)
		rand.Read(random)
		key = hex.EncodeToString(random)
	}
	body, _ := json.Marshal(map[string]string{"name": "Ada Lovelace", "email": "ada@example.com"})
	request, err := http.NewRequest("POST", os.Getenv("LEADGATE_URL")+"/api/v1/ingest", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("LEADGATE_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Idempotency-Key", key)
	client := http.Client{Timeout: 10 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// By this id the diagnostics find the reason for a rejection.
	fmt.Fprintln(os.Stderr, "Request", answer.Header.Get("X-Request-Id"))
	// Only 202 means stored: a rejection is a 200.
	if answer.StatusCode != http.StatusAccepted {
		os.Exit(1)
	}
}
