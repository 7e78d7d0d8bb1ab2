// Sends one lead with a server token: go run token.go
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
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
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("LEADGATE_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Idempotency-Key", key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(string(text))
}
