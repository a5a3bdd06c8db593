package classify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

func requireRefused(t require.TestingT, reason classify.Reason, err error) {
	var refusal *classify.Error
	require.ErrorAs(t, err, &refusal)
	kind := classify.ErrInvalidFormat
	if reason == classify.ReasonEmpty {
		kind = classify.ErrContentRequired
	}
	require.ErrorIs(t, err, kind)
	require.Equal(t, reason, refusal.Reason)
}

func TestError_Error(t *testing.T) {
	t.Parallel()
	const secret = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"
	_, err := classify.Classify(secret)
	requireRefused(t, classify.ReasonSecret, err)
	require.NotContains(t, err.Error(), secret[:5])
}

func TestError_forbiddenCharacter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		content   string
		character string
		offset    int
	}{
		{"a right-to-left override", "a\u202eb", "U+202E", 1},
		{"white space before counts", " \u3000ab c", "U+0020", 6},
		{"the first of two", "a\x00b\ufeff", "U+0000", 1},
		{"a byte order mark first", "\ufeffa", "U+FEFF", 0},
		{"a delete", "a\x7fb", "U+007F", 1},
		{"a delete after other scripts", "\u00fc\x7f", "U+007F", 2},
		{"after other scripts", "\u00fc\u4f8b\u2066", "U+2066", 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := classify.Classify(test.content)
			require.Equal(t, &classify.Error{
				Reason: classify.ReasonForbiddenCharacter, Character: test.character, Offset: test.offset,
			}, err)
		})
	}
}
