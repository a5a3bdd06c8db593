package lists_test

import (
	"testing"

	"github.com/apguard/apguard/lists"
)

func TestRead_CSV(t *testing.T) {
	t.Parallel()
	const evil = "PAGE evil.com BLOCKED"
	testRead(t, lists.CSV, map[string]readCase{
		"a header that is a comment":      {text: "####\n# Dump  #\n#\n# id,dateadded,url,url_status\n\"1\",\"2026\",\"http://evil.example.com/a,b.exe\",\"online\"\n# 1 entry\n", want: []string{"5 URL http://evil.example.com/a,b.exe BLOCKED"}},
		"a header that is named":          {text: "# id,link,url\n1,evil.com,http://other.com\n", opts: lists.ReadOptions{Column: " Link"}, want: []string{"2 " + evil}},
		"comments before the header":      {text: "# \"a\n\n# content\ncontent,note\nevil.com,x\n", want: []string{"5 " + evil}},
		"the last of two headers":         {text: "# content,a\n# b,content\nx,evil.com\n", want: []string{"3 " + evil}},
		"semicolons":                      {text: "id;url;a,b\n1;evil.com;c,d\n", want: []string{"2 " + evil}},
		"semicolons with quoted fields":   {text: "url;note\nevil.com;\"a;\nb\"\nworse.com;x\n", want: []string{"2 " + evil, "4 PAGE worse.com BLOCKED"}},
		"tabs":                            {text: "\tcontent\tstatus\n1\tevil.com\tallowed\n", want: []string{"2 PAGE evil.com ALLOWED"}},
		"a column of the feed":            {text: "phish_id,url,target\n1,https://evil.com/a,Other\n", want: []string{"2 URL https://evil.com/a BLOCKED"}},
		"a content before a URL":          {text: "url,content\nother.com,evil.com\n", want: []string{"2 " + evil}},
		"statuses in other letters":       {text: "content,status\nevil.com,blocked\ngood.com,Allowed\nx.org,unknown\n", want: []string{"2 " + evil, "3 PAGE good.com ALLOWED", "4 PAGE x.org UNKNOWN"}},
		"statuses of a feed":              {text: "url,status\nevil.com,online\nworse.com,BLOCKED\n", opts: lists.ReadOptions{Column: "URL"}, want: []string{refused("2", lists.ErrStatus), "3 PAGE worse.com BLOCKED"}},
		"types of a feed":                 {text: "url,type\nevil.com,phishing\nworse.com,URL\n", opts: lists.ReadOptions{Column: "url"}, want: []string{"2 " + evil, refused("3", lists.ErrType)}},
		"single words":                    {text: "content\ngroup\njohn.smith_official\n@jack\n", want: []string{refused("2", lists.ErrBareHandle), refused("3", lists.ErrBareHandle), "4 TWITTER x.com/jack BLOCKED"}},
		"single words with their type":    {text: "content,type\ngroup,TWITTER\n", want: []string{"2 TWITTER x.com/group BLOCKED"}},
		"single words that are accounts":  {text: "content\ngroup\n", opts: lists.ReadOptions{Accounts: true}, want: []string{"2 TWITTER x.com/group BLOCKED"}},
		"an entity":                       {text: "content\nhttps://evil.example.com/login?a=1&amp;b=2\n", want: []string{refused("2", lists.ErrEntity)}},
		"a comment within a quoted field": {text: "content,note\nevil.com,\"\n# x\"\n#worse.com\n", want: []string{"2 " + evil}},
	})
}
