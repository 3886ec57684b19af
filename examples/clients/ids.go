// Gets ids from edgeflake's Worker, with Go's standard library alone: `go run ids.go 1000 300`
// prints 1,000 ids, and fetches 300 per request. Set EDGEFLAKE_URL to your Worker's URL, and
// EDGEFLAKE_ISSUE_TOKEN to the Worker's secret of this name.
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

// Ids hands out ids from memory. The channel holds half a batch, so the goroutine of NewIds fetches
// the next batch when half of the current batch is left.
type Ids struct {
	ids      chan uint64
	failures chan error
}

// NewIds starts a goroutine that fetches batches of `size` ids.
func NewIds(size int) *Ids {
	s := &Ids{make(chan uint64, size/2), make(chan error)}
	go func() {
		for {
			batch, err := fetch(size)
			for _, id := range batch {
				s.ids <- id
			}
			// After a failure, the next try is 1 s later. Until then, each caller that waits gets the
			// error.
			for again := time.After(time.Second); err != nil; {
				select {
				case s.failures <- err:
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
			// The body has eight bytes per id, the most significant first.
			ids := make([]uint64, count)
			return ids, binary.Read(response.Body, binary.BigEndian, ids)
		}
		var problem struct{ Title, Detail string }
		// If the body is not JSON, the error below has only the status.
		_ = json.NewDecoder(response.Body).Decode(&problem)
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
		log.Fatal("ids.go needs two numbers, the ids to print and the ids per request: ", err)
	}
	for s := NewIds(size); count > 0; count-- {
		id, err := s.Next()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(id)
	}
}
