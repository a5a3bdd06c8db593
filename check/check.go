package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// MaxItems is the maximum number of contents of a batch.
const MaxItems = 1000

// maxStepBytes is the maximum size of the contents of a step of a batch, in bytes. The covers of
// a long content are several times as large. A thousand contents of 250 bytes share a step.
const maxStepBytes = 256 << 10

// ErrTooMany reports that a batch has more than [MaxItems] contents. The error is an
// [*asset.InputError].
var ErrTooMany = fmt.Errorf("more than %d contents", MaxItems)

// ErrListFailed reports that an external list did not answer. It matches [asset.ErrUnavailable].
var ErrListFailed = fmt.Errorf("external list did not answer: %w", asset.ErrUnavailable)

// Checker checks contents. [Service] reads a store, and mirror.Mirror a copy in memory.
type Checker interface {
	// Check returns the verdict for a content; see [Service.Check].
	Check(ctx context.Context, content string) (Verdict, error)
	// CheckBatch returns a result for each content, in order; see [Service.CheckBatch].
	CheckBatch(ctx context.Context, contents []string) ([]Result, error)
}

// Options configures a [Checker]. The zero value asks no lists.
type Options struct {
	// ExternalLists are asked by each check, in this order.
	ExternalLists ExternalLists
	// FailClosed makes a check fail with [ErrListFailed] if its verdict would be UNKNOWN while a list
	// did not answer. Without it, the verdict names the list in ListsFailed.
	FailClosed bool
}

// Service checks contents. It is safe for concurrent use.
type Service struct {
	store   Store
	options Options
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	opts.ExternalLists = slices.Clone(opts.ExternalLists)
	return &Service{store: store, options: opts}
}

// Check returns the verdict for a content. It reads the store once.
//
// Check also answers for a content that [classify.Classify] refuses and a browser opens, such as
// https:evil.com. The verdict is that of the link that [classify.CoveringOpened] reads: its Type
// is URL, its Canonical is the link, and its Match never has the kind EXACT.
//
// An error is not a verdict: treat it as "do not show". The error is an [*asset.InputError] if the
// content is blank or not recognized. It then also matches [classify.ErrContentRequired] or
// [classify.ErrInvalidFormat]. With [Options.FailClosed], it can match [ErrListFailed].
func (s *Service) Check(ctx context.Context, content string) (Verdict, error) {
	results, err := s.check(ctx, []string{content}, func(int) ([]classify.Cover, error) { return Covers(content) })
	if err != nil {
		return Verdict{}, err
	}
	if err := results[0].Err; err != nil {
		return Verdict{}, ContentError(err)
	}
	return results[0].Verdict, nil
}

// ContentError converts an error of [Covers] to that of [Service.Check]. It returns nil for nil.
func ContentError(err error) error {
	if err == nil {
		return nil
	}
	issue := asset.Issue{Field: "content", Message: err.Error(), Err: err}
	if errors.Is(err, classify.ErrContentRequired) {
		issue.Message = "is required"
	}
	return asset.Issues{issue}.Err()
}

// Result is the result of one content of a batch.
type Result struct {
	// Verdict has only the Content if Err is not nil.
	Verdict
	// Err is nil, or matches [classify.ErrContentRequired] or [classify.ErrInvalidFormat]. It
	// is not a verdict: treat it as "do not show".
	Err error `json:"error,omitempty"`
}

// CheckBatch is [Service.Check] for 1 to [MaxItems] contents. It returns a result for
// each, in order. It reads the store once for all of them, or once for each 256 KiB of
// contents.
//
// The error is an [*asset.InputError] if there are no contents. For too many, it also
// matches [ErrTooMany].
func (s *Service) CheckBatch(ctx context.Context, contents []string) ([]Result, error) {
	return s.checkAll(ctx, contents, func(i int) ([]classify.Cover, error) { return Covers(contents[i]) })
}

// CheckAssets is [Service.CheckBatch] for assets that are classified already. The Content of each result is
// the canonical form.
func (s *Service) CheckAssets(ctx context.Context, identities []asset.Identity) ([]Result, error) {
	contents := make([]string, len(identities))
	for i, identity := range identities {
		contents[i] = identity.Canonical
	}
	return s.checkAll(ctx, contents, func(i int) ([]classify.Cover, error) { return classify.Covering(identities[i]), nil })
}

// checkAll checks contents in steps. The function covers returns the covers of one.
func (s *Service) checkAll(ctx context.Context, contents []string, covers func(i int) ([]classify.Cover, error)) ([]Result, error) {
	if err := ValidateBatch(contents); err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(contents))
	for done := 0; done < len(contents); done = len(results) {
		next := contents[done:]
		checked, err := s.check(ctx, next[:stepLen(next)], func(i int) ([]classify.Cover, error) { return covers(done + i) })
		if err != nil {
			return nil, err
		}
		results = append(results, checked...)
	}
	return results, nil
}

// stepLen returns how many contents the first step has: at least one, and no more than fit.
func stepLen(contents []string) int {
	size := 0
	for i, content := range contents {
		if size += len(content); size > maxStepBytes && i > 0 {
			return i
		}
	}
	return len(contents)
}

// ValidateBatch returns the error of [Service.CheckBatch] if there are no contents or too many.
func ValidateBatch(contents []string) error {
	var issues asset.Issues
	if len(contents) > MaxItems {
		issues.AddCause("contents", ErrTooMany)
	}
	issues.Check(len(contents) > 0, "contents", fmt.Sprintf("must hold 1 to %d elements", MaxItems))
	return issues.Err()
}

func (s *Service) check(ctx context.Context, contents []string, coversOf func(i int) ([]classify.Cover, error)) ([]Result, error) {
	results := make([]Result, len(contents))
	covers := make([][]classify.Cover, len(contents))
	for i, content := range contents {
		results[i].Content = content
		covers[i], results[i].Err = coversOf(i)
	}
	assets, err := s.assets(ctx, covers)
	if err != nil {
		return nil, err
	}
	for i, content := range contents {
		if results[i].Err != nil {
			continue
		}
		results[i].Verdict, err = s.options.Verdict(ctx, content, covers[i], func(lists []ListVerdict) Verdict {
			return Decide(covers[i], assets.find, lists)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// Verdict asks the lists about a content with the covers, and returns what decide makes of their
// verdicts. The error is that of ctx, or matches [ErrListFailed].
func (o Options) Verdict(ctx context.Context, content string, covers []classify.Cover, decide func(lists []ListVerdict) Verdict) (Verdict, error) {
	lists, failed := o.ExternalLists.Verdicts(ctx, Listed(covers))
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	verdict := decide(lists)
	if o.FailClosed && verdict.Source == SourceNone && len(failed) > 0 {
		return Verdict{}, failed.Err()
	}
	verdict.Content, verdict.ListsFailed = content, failed
	return verdict, nil
}

// Covers returns the covers of the asset that a content names, as [classify.Covering] does. If
// the content names none, but a browser opens a link for it, they are those of the link, as
// [classify.CoveringOpened] returns them.
//
// The error says why the content names no asset. It matches [classify.ErrContentRequired] or
// [classify.ErrInvalidFormat].
func Covers(content string) ([]classify.Cover, error) {
	result, err := classify.Classify(content)
	if err == nil {
		return classify.Covering(result.Identity), nil
	}
	if covers := classify.CoveringOpened(content); covers != nil {
		return covers, nil
	}
	return nil, err
}

// Listed returns the identity that external lists are asked about for a content with the covers:
// that of the asset that the content names. A link that no asset can be has that of its first
// cover which can, such as the domain of a host that is too long.
func Listed(covers []classify.Cover) asset.Identity {
	for _, cover := range covers {
		if cover.Kind == classify.CoverExact {
			return cover.Identity
		}
		if result, err := classify.Classify(cover.Canonical); err == nil && result.Identity == cover.Identity {
			return cover.Identity
		}
	}
	return covers[0].Identity
}

// known are the assets that exist.
type known map[asset.Identity]*asset.Known

func (k known) find(identity asset.Identity) (asset.Known, bool) {
	found := k[identity]
	if found == nil {
		return asset.Known{}, false
	}
	return *found, true
}

// assets returns the assets of all covers that exist.
func (s *Service) assets(ctx context.Context, covers [][]classify.Cover) (known, error) {
	identities := identitiesOf(covers)
	if len(identities) == 0 {
		return nil, nil
	}
	found, err := s.store.AssetsByIdentity(ctx, identities)
	if err != nil {
		return nil, err
	}
	assets := make(known, len(found))
	for i := range found {
		assets[found[i].Identity] = &found[i]
	}
	return assets, nil
}

// identitiesOf returns the identities of all covers.
func identitiesOf(covers [][]classify.Cover) []asset.Identity {
	n := 0
	for _, list := range covers {
		n += len(list)
	}
	identities := make([]asset.Identity, 0, n)
	for _, list := range covers {
		for _, cover := range list {
			identities = append(identities, cover.Identity)
		}
	}
	return identities
}

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
