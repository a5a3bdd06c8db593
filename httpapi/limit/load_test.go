package limit_test

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/httpapi/limit"
)

// beyondPart and beyondAll return the errors beyond a part of a maximum and beyond the maximum.
func beyondPart(policy string, quota int64) error {
	return &limit.Error{Status: http.StatusTooManyRequests, Policy: policy, Quota: quota}
}

func beyondAll(policy string) error {
	return &limit.Error{Status: http.StatusServiceUnavailable, Policy: policy}
}

// enter begins a request of a caller of an organization, at an address of its own.
func enter(t *testing.T, load *limit.Load, caller string, organization int64) error {
	t.Helper()
	address := [16]byte{8: 1}
	copy(address[:8], caller)
	place, err := load.Enter(netip.AddrFrom16(address))
	require.NoError(t, err)
	t.Cleanup(place.Leave)
	return place.Identify(caller, organization)
}

// A quarter of a maximum is for one caller, a half for one organization, and three quarters for one client
// address.
func TestLoad_parts(t *testing.T) {
	t.Parallel()
	t.Run("a caller", func(t *testing.T) {
		t.Parallel()
		load := limit.NewLoad(limit.Maxima{Requests: 8})
		for range 2 {
			require.NoError(t, enter(t, load, "a", 1))
		}
		require.Equal(t, beyondPart("requests", 2), enter(t, load, "a", 1))
	})
	t.Run("an organization, with many keys and addresses", func(t *testing.T) {
		t.Parallel()
		load := limit.NewLoad(limit.Maxima{Requests: 8})
		for _, caller := range []string{"a", "b", "c", "d"} {
			require.NoError(t, enter(t, load, caller, 1))
		}
		require.Equal(t, beyondPart("requests-of-organization", 4), enter(t, load, "e", 1))
		require.NoError(t, enter(t, load, "f", 2), "another organization")
	})
	t.Run("an IPv6 client, with many addresses of its network", func(t *testing.T) {
		t.Parallel()
		load := limit.NewLoad(limit.Maxima{Requests: 8})
		for i := range 6 {
			_, err := load.Enter(netip.AddrFrom16([16]byte{0: 0x20, 15: byte(i)}))
			require.NoError(t, err)
		}
		_, err := load.Enter(netip.AddrFrom16([16]byte{0: 0x20, 15: 9}))
		require.Equal(t, beyondPart("requests-of-client", 6), err)
		_, err = load.Enter(netip.AddrFrom16([16]byte{0: 0x20, 7: 1}))
		require.NoError(t, err, "another network")
	})
	t.Run("all together", func(t *testing.T) {
		t.Parallel()
		load := limit.NewLoad(limit.Maxima{Requests: 2})
		for i := range byte(2) {
			_, err := load.Enter(netip.AddrFrom4([4]byte{192, 0, 2, i}))
			require.NoError(t, err)
		}
		_, err := load.Enter(netip.AddrFrom4([4]byte{192, 0, 2, 9}))
		require.Equal(t, beyondAll("requests"), err)
	})
}

// held is a request of the model.
type held struct {
	place        *limit.Place
	client       byte
	caller       string
	organization int64
	amounts      map[string]int64
}

// model has what the law says.
type model struct {
	maxima map[string]int64
	live   []*held
}

// sum returns how much of a kind those requests hold.
func (m *model) sum(kind string, of func(*held) bool) (sum int64) {
	for _, each := range m.live {
		if of(each) {
			sum += each.amounts[kind]
		}
	}
	return sum
}

// status returns the status with which that much more of a kind is refused to a request, or 0.
func (m *model) status(r *held, kind string, more int64) int {
	maximum := m.maxima[kind]
	part := func(quarters int64) int64 { return (maximum*quarters + 3) / 4 }
	switch {
	case m.sum(kind, func(o *held) bool { return o.client == r.client })+more > part(3),
		r.caller != "" && m.sum(kind, func(o *held) bool { return o.caller == r.caller })+more > part(1),
		r.organization != 0 && m.sum(kind, func(o *held) bool { return o.organization == r.organization })+more > part(2):
		return http.StatusTooManyRequests
	case m.sum(kind, func(*held) bool { return true })+more > maximum:
		return http.StatusServiceUnavailable
	}
	return 0
}

func statusOf(err error) int {
	var refusal *limit.Error
	if errors.As(err, &refusal) {
		return refusal.Status
	}
	return 0
}

// No holder exceeds its part, and no request within all parts is refused.
func TestLoad_law(t *testing.T) {
	t.Parallel()
	organizations := map[string]int64{"a": 1, "b": 1, "c": 2, "d": 0}
	rapid.Check(t, func(t *rapid.T) {
		maximum := rapid.Int64Range(1, 9)
		m := &model{maxima: make(map[string]int64)}
		for _, kind := range []string{"requests", "costly-requests", "waiting-requests", "refused-requests", "bodies"} {
			m.maxima[kind] = maximum.Draw(t, kind)
		}
		load := limit.NewLoad(limit.Maxima{
			Requests: m.maxima["requests"], Costly: m.maxima["costly-requests"], Waiting: m.maxima["waiting-requests"],
			Refused: m.maxima["refused-requests"], BodyBytes: m.maxima["bodies"],
		})
		take := func(r *held, kind string, more int64, err error) bool {
			want := m.status(r, kind, more)
			require.Equal(t, want, statusOf(err), kind)
			if want == 0 {
				r.amounts[kind] += more
			}
			return want == 0
		}
		steps := map[string]func(*rapid.T){
			"enter": func(t *rapid.T) {
				r := &held{client: rapid.ByteRange(1, 3).Draw(t, "client"), amounts: make(map[string]int64)}
				place, err := load.Enter(netip.AddrFrom4([4]byte{192, 0, 2, r.client}))
				r.place = place
				if take(r, "requests", 1, err) || take(r, "refused-requests", 1, place.Refuse()) {
					m.live = append(m.live, r)
				} else {
					require.False(t, place.Holds())
					place.Leave()
				}
			},
		}
		step := func(name string, of func(*held) bool, do func(*rapid.T, *held)) {
			steps[name] = func(t *rapid.T) {
				fit := slices.DeleteFunc(slices.Clone(m.live), func(r *held) bool { return !of(r) })
				if len(fit) > 0 {
					do(t, rapid.SampledFrom(fit).Draw(t, name))
				}
			}
		}
		served := func(r *held) bool { return r.amounts["requests"] == 1 }
		leave := func(r *held) {
			r.place.Leave()
			m.live = slices.DeleteFunc(m.live, func(o *held) bool { return o == r })
		}
		step("identify", func(r *held) bool {
			return served(r) && r.caller == "" && r.amounts["bodies"] == 0 && r.amounts["costly-requests"] == 0
		},
			func(t *rapid.T, r *held) {
				caller := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "caller")
				after := &held{client: r.client, caller: caller, organization: organizations[caller]}
				part := func(of func(*held) bool, quarters int64) bool {
					return m.sum("requests", of)+1 <= (m.maxima["requests"]*quarters+3)/4
				}
				fits := part(func(o *held) bool { return o.caller == caller }, 1) && (after.organization == 0 ||
					part(func(o *held) bool { return o.organization == after.organization }, 2))
				err := r.place.Identify(caller, after.organization)
				require.Equal(t, fits, err == nil)
				if err != nil {
					leave(r)
					return
				}
				r.caller, r.organization = caller, after.organization
			})
		step("costly", func(r *held) bool { return served(r) && r.amounts["costly-requests"] == 0 }, func(_ *rapid.T, r *held) {
			take(r, "costly-requests", 1, r.place.Costly())
		})
		step("body", served, func(t *rapid.T, r *held) {
			size := rapid.Int64Range(1, 3).Draw(t, "size")
			_, err := r.place.ReadBody(strings.NewReader("xyz"[:size]), size, size)
			take(r, "bodies", size, err)
		})
		step("wait", served, func(_ *rapid.T, r *held) {
			if take(r, "waiting-requests", 1, r.place.Wait()) {
				delete(r.amounts, "requests")
				delete(r.amounts, "costly-requests")
			}
		})
		step("refuse", served, func(_ *rapid.T, r *held) {
			r.caller, r.organization, r.amounts = "", 0, make(map[string]int64)
			if !take(r, "refused-requests", 1, r.place.Refuse()) {
				leave(r)
			}
		})
		step("leave", func(*held) bool { return true }, func(_ *rapid.T, r *held) { leave(r) })
		t.Repeat(steps)
		for len(m.live) > 0 {
			leave(m.live[0])
		}
		require.Equal(t, 0, limit.Accounts(load), "nothing is left")
	})
}

// However a body arrives, it is read completely, within the memory of its maximum.
func TestPlace_ReadBody(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_072, 300_000} {
		text := strings.Repeat("x", size)
		for arrival, from := range map[string]func(io.Reader) io.Reader{
			"at once":             func(r io.Reader) io.Reader { return r },
			"half of each":        iotest.HalfReader,
			"byte by byte":        iotest.OneByteReader,
			"the end with a part": iotest.DataErrReader,
		} {
			for _, length := range []int64{-1, int64(size)} {
				load := bodyLoad(int64(size))
				place := enterUnknown(t, load)
				got, err := place.ReadBody(from(strings.NewReader(text)), length, int64(size))
				require.NoError(t, err, "%d bytes %s", size, arrival)
				require.Equal(t, text, string(got))
				place.Leave()
				_, err = enterUnknown(t, load).ReadBody(strings.NewReader(text), int64(size), int64(size))
				require.NoError(t, err, "the memory is free again")
			}
		}
	}
}

// bodyLoad returns a Load in which a client address can hold bodies of that many bytes.
func bodyLoad(bytes int64) *limit.Load {
	return limit.NewLoad(limit.Maxima{Requests: 4, BodyBytes: 4 * bytes / 3})
}

func enterUnknown(t *testing.T, load *limit.Load) *limit.Place {
	t.Helper()
	place, err := load.Enter(netip.Addr{})
	require.NoError(t, err)
	return place
}

var errBroken = errors.New("broken")

// A body that does not arrive holds little memory, and less than it announces.
func TestPlace_ReadBody_unfinished(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		length  int64
		arrived int
		held    int64
	}{
		"of unknown length":           {-1, 1, 4 << 10},
		"of unknown length, and more": {-1, 4<<10 + 2, 8 << 10},
		"of a small length":           {100, 1, 100},
		"of a large length":           {4 << 20, 1, 64 << 10},
		"of a large length, and more": {4 << 20, 64<<10 + 2, 128 << 10},
		"of a length between buffers": {100 << 10, 64<<10 + 2, 100 << 10},
	} {
		for _, room := range []int64{c.held, c.held - 1} {
			from := io.MultiReader(strings.NewReader(strings.Repeat("x", c.arrived)), iotest.ErrReader(errBroken))
			_, err := enterUnknown(t, bodyLoad(room)).ReadBody(from, c.length, 4<<20)
			if room == c.held {
				require.ErrorIs(t, err, errBroken, reason)
			} else {
				require.Equal(t, beyondPart("bodies-of-client", 0), err, reason)
			}
		}
	}
}
