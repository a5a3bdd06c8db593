package storagetest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
)

func listChecks() []requirement {
	return []requirement{
		{"every field of a list is read back", func(p *probe) {
			given := fullList()
			given.ID = 77
			want := given
			want.ID = 1
			require.Equal(p, want, p.addList(given), "the given ID is ignored")
			require.Equal(p, []lists.List{want}, p.lists())
			for n, format := range lists.Readable() {
				plain := newList("plain-" + strconv.Itoa(n))
				plain.Format = format
				plain.ID = p.addList(plain).ID
				require.Contains(p, p.lists(), plain)
			}
		}},
		{"a list is changed in every field but ID and name", func(p *probe) {
			added := p.addLists("a", "b")
			want := fullList()
			want.ID, want.Name = added[0].ID, "a"
			require.Equal(p, want, p.putList("a", func(l *lists.List) {
				*l = want
				l.ID, l.Name = 77, "c"
			}))
			require.Equal(p, []lists.List{want, added[1]}, p.lists())
			plain := newList("a")
			plain.ID = want.ID
			require.Equal(p, plain, p.putList("a", func(l *lists.List) { *l = plain }), "empty again")
			require.Equal(p, []lists.List{plain, added[1]}, p.lists())
		}},
		{"put receives the stored list and the number of lists", func(p *probe) {
			var stored []lists.List
			for _, name := range []string{"b", "a", "b", "c", "a"} {
				named := func(l lists.List) bool { return l.Name == name }
				want := orZero(find(stored, named))
				got, err := p.PutList(p.Context(), name, func(old lists.List, count int) (lists.List, audit.Entry, error) {
					require.Equal(p, want, old)
					require.Equal(p, len(stored), count)
					changed := newList(name)
					changed.Begun = old.Begun + 1
					return changed, audit.Entry{}, nil
				})
				require.NoError(p, err)
				require.Equal(p, want.Begun+1, got.Begun)
				stored = put(stored, got, named)
			}
		}},
		{"the error of put is returned unchanged, and nothing is stored", func(p *probe) {
			p.addList(newList("known"))
			want := p.lists()
			for _, name := range []string{"known", "new"} {
				for _, refusal := range []error{errRefused, lists.ErrNameTaken, fmt.Errorf("wrapped: %w", lists.ErrTooMany)} {
					got, err := p.PutList(p.Context(), name, func(lists.List, int) (lists.List, audit.Entry, error) {
						return fullList(), act(), refusal
					})
					require.Equal(p, refusal, err)
					require.Zero(p, got)
					require.Equal(p, want, p.lists())
				}
			}
		}},
		{"lists are ordered by name, byte by byte", func(p *probe) {
			names := []string{"b", "a0", "a_b", "aa", "a.b", "0", "a-b", "a", "ab", "a-c", "a.a", "z"}
			p.addLists(names...)
			slices.Sort(names)
			require.Equal(p, names, listNames(p.lists()))
		}},
		{"names are compared byte by byte", func(p *probe) {
			for n, name := range differentTexts {
				p.addList(newList(name))
				require.Len(p, p.lists(), n+1, "%q is another name", name)
			}
		}},
		{"a removed list is gone, and its ID is not used again", func(p *probe) {
			added := p.addLists("a", "b")
			require.NoError(p, p.RemoveList(p.Context(), added[1].ID, audit.Entry{}))
			require.Equal(p, added[:1], p.lists())
			require.Equal(p, lists.ErrNotFound, p.RemoveList(p.Context(), added[1].ID, audit.Entry{}))
			_, err := p.DecideEntries(p.Context(), decideCommand(added[1], at(0), asset.StatusBlocked, 1))
			require.Equal(p, lists.ErrNotFound, err)

			again := p.addList(newList("b"))
			require.Greater(p, again.ID, added[1].ID)
			require.Equal(p, []lists.List{added[0], again}, p.lists())
		}},
		{"an unknown list is not found", func(p *probe) {
			p.addLists("a")
			require.Equal(p, lists.ErrNotFound, p.RemoveList(p.Context(), 2, audit.Entry{}))
			require.Len(p, p.lists(), 1)
		}},
		{"a list that held something is removed once it holds nothing", func(p *probe) {
			list := p.addLists("a")[0]
			ended := p.decideEntries(decideCommand(list, at(0), asset.StatusBlocked, 1))
			p.withdrawEntries(endCommand(list, at(1), ended[0].ID))
			require.NoError(p, p.RemoveList(p.Context(), list.ID, audit.Entry{}))
			require.Empty(p, p.lists())
			require.Equal(p, asset.StatusUnknown, p.statusOf(1), "its asset stays")
		}},
		{"what is done to lists is told", needs("AuditEntries", func(p *probe) {
			put := func(name string, entry audit.Entry, err error) lists.List {
				list, got := p.PutList(p.Context(), name, func(old lists.List, _ int) (lists.List, audit.Entry, error) {
					return cmp.Or(old, newList(name)), entry, err
				})
				require.Equal(p, err, got)
				return list
			}
			of := act()
			of.Kind, of.Subject = audit.KindList, ""
			first, second := put("a", of, nil), put("b", of, nil)
			put("a", of, nil)
			put("c", of, errRefused)
			put("a", audit.Entry{}, nil)
			require.NoError(p, p.RemoveList(p.Context(), second.ID, of.On(second.ID)))
			require.Equal(p, lists.ErrNotFound, p.RemoveList(p.Context(), second.ID, of.On(second.ID)))
			require.NoError(p, p.RemoveList(p.Context(), first.ID, audit.Entry{}))
			require.Equal(p, []audit.Entry{of.On(first.ID), of.On(second.ID), of.On(first.ID), of.On(second.ID)}, p.told())
		})},
	}
}

func listNames(all []lists.List) []string {
	names := make([]string, len(all))
	for i, list := range all {
		names[i] = list.Name
	}
	return names
}
