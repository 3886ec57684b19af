// Ids of edgeflake in Go, with the standard library alone: `go run ids.go 1000 300` takes 1,000 ids
// one by one, from requests for 300. EDGEFLAKE_URL is your Worker, EDGEFLAKE_ISSUE_TOKEN its secret.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

const patience = 5 * time.Second

// Ids hands out ids from memory. Its channel holds half a batch, so that the next batch is asked
// for when half of the present batch is left.
type Ids struct {
	ids      chan uint64
	failures chan error
}

// NewIds begins to fetch batches of this size.
func NewIds(size int) *Ids {
	s := &Ids{make(chan uint64, size/2), make(chan error)}
	go func() {
		for {
			batch, err := fetch(size)
			for _, id := range batch {
				s.ids <- id
			}
			for again := time.After(time.Second); err != nil; { // one try per second
				select {
				case s.failures <- err: // to each caller that waits
				case <-again:
					err = nil
				}
			}
		}
	}()
	return s
}

// Next returns the next id. Any goroutine may call it.
func (s *Ids) Next() (uint64, error) {
	select {
	case id := <-s.ids:
		return id, nil
	case err := <-s.failures:
		return 0, err
	case <-time.After(patience):
		return 0, fmt.Errorf("no id within %v", patience)
	}
}

// fetch requests ids, and tries again after Retry-After if the deadline allows that.
func fetch(count int) ([]uint64, error) {
	deadline, client := time.Now().Add(patience), http.Client{Timeout: patience}
	url := fmt.Sprintf("%s/v1/ids?format=binary&count=%d", os.Getenv("EDGEFLAKE_URL"), count)
	request, err := http.NewRequest(http.MethodPost, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("EDGEFLAKE_ISSUE_TOKEN"))
	for {
		response, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		if response.StatusCode == http.StatusOK {
			ids := make([]uint64, count) // eight bytes per id, the most significant first
			return ids, binary.Read(response.Body, binary.BigEndian, ids)
		}
		var problem struct{ Title, Detail string }
		_ = json.NewDecoder(response.Body).Decode(&problem) // if this fails, the status remains
		wait, err := time.ParseDuration(response.Header.Get("Retry-After") + "s")
		if err != nil || time.Until(deadline) < wait {
			return nil, fmt.Errorf("%s: %s: %s", response.Status, problem.Title, problem.Detail)
		}
		time.Sleep(wait)
	}
}

func main() {
	var count, size int
	if _, err := fmt.Sscan(strings.Join(os.Args[1:], " "), &count, &size); err != nil {
		log.Fatal("ids.go needs two numbers, of ids and of ids in a batch: ", err)
	}
	for s := NewIds(size); count > 0; count-- {
		id, err := s.Next()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(id)
	}
}
