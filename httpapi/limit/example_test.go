package limit_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage/memory"
)

// Each caller may make two requests at once, and one a minute on average.
func ExampleNewRate() {
	rate, err := limit.NewRate(limit.RateOptions{Rate: 1.0 / 60, Burst: 2, FailedRate: 1.0 / 60, FailedBurst: 5})
	if err != nil {
		log.Fatal(err)
	}
	guard := apguard.New(memory.New(), apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{
		Admission: []limit.Admission{rate},
		Failures:  rate,
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		response := httptest.NewRecorder()
		api.ServeHTTP(response, httptest.NewRequestWithContext(context.Background(), "GET", "/openapi.json", nil))
		fmt.Println(response.Code)
	}
	// Output:
	// 200
	// 200
	// 429
}
