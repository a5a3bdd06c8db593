package lists_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

func TestRead_CSV(t *testing.T) {
	t.Parallel()
	testRead(t, lists.ReadOptions{}, map[string]readCase{
		"a header that is a comment":       {lists.CSV, "# id,dateadded,url,url_status\n\"1\",\"2026-01-01\",\"http://evil.com/a,b.exe\",\"online\"\n", []string{"2 URL http://evil.com/a,b.exe BLOCKED"}},
		"comments before the header":       {lists.CSV, "# a list, of content\n#\n\n# \"by us\ncontent,note\nevil.com,x\n", []string{"6 PAGE evil.com BLOCKED"}},
		"a comment that is like a header":  {lists.CSV, "# content,note\nnote,content\nx,evil.com\n", []string{"3 PAGE evil.com BLOCKED"}},
		"a first record that is malformed": {lists.CSV, "# content\nx\"y\nevil.com\n", []string{"2: is malformed", "3 PAGE evil.com BLOCKED"}},
		"a header without records":         {lists.CSV, "# content\n", nil},
		"statuses in lower case":           {lists.CSV, "content,status\nevil.com,blocked\ngood.com,Allowed\n", []string{"2 PAGE evil.com BLOCKED", "3 PAGE good.com ALLOWED"}},
		"semicolons":                       {lists.CSV, "note;content;status\n\"a;\nb\";http://evil.com/a,b;allowed\n", []string{"2 URL http://evil.com/a,b ALLOWED"}},
		"tabs":                             {lists.CSV, "content\tstatus\nevil.com\tALLOWED\n", []string{"2 PAGE evil.com ALLOWED"}},
		"a column url beside content":      {lists.CSV, "url,url,content\nhttp://good.com,http://good.com,evil.com\n", []string{"2 PAGE evil.com BLOCKED"}},
	})
	testRead(t, lists.ReadOptions{Column: "Host"}, map[string]readCase{
		"a column of another name":      {lists.CSV, "content,host\ngood.com,evil.com\n", []string{"2 PAGE evil.com BLOCKED"}},
		"a column of a comment":         {lists.CSV, "# content;HOST\ngood.com;evil.com\n", []string{"2 PAGE evil.com BLOCKED"}},
		"a column that is not asked of": {lists.Lines, "evil.com\n", []string{"1 PAGE evil.com BLOCKED"}},
	})
	_, err := read("content\nevil.com\n", lists.CSV, lists.ReadOptions{Column: "host"})
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, "must have the column host", input.Issues[0].Message)
}
