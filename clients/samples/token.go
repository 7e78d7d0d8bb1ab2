// Sends one lead with an ingest token: go run token.go
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
	// Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
	key := os.Getenv("LEADGATE_IDEMPOTENCY_KEY")
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
