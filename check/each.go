package check

import "github.com/apguard/apguard/classify"

// Each is [Service.CheckBatch] for a checker that needs no store: verdict returns the verdict for a
// content with the covers. It is called for one content after the other, and its error ends the batch.
func Each(contents []string, verdict func(content string, covers []classify.Cover) (Verdict, error)) ([]Result, error) {
	if err := ValidateBatch(contents); err != nil {
		return nil, err
	}
	results := make([]Result, len(contents))
	for i, content := range contents {
		results[i].Content = content
		covers, err := Covers(content)
		if err != nil {
			results[i].Err = err
			continue
		}
		if results[i].Verdict, err = verdict(content, covers); err != nil {
			return nil, err
		}
	}
	return results, nil
}
