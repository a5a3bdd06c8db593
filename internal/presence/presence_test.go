package presence_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/presence"
)

const anna, otto, olga = 1, 2, 3

// Times are those of the bubble.
func TestBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board := presence.NewBoard[string]()
		others := board.Others
		leave := board.Enter("a", anna)
		require.Empty(t, others("a", anna), "nobody is another one to himself")
		require.Equal(t, []int64{anna}, others("a", otto))
		require.Empty(t, others("b", otto))
		leaveOlga := board.Enter("a", olga)
		require.Equal(t, []int64{anna, olga}, others("a", otto))

		leave()
		time.Sleep(time.Second)
		leave = board.Enter("a", anna)
		time.Sleep(time.Minute)
		require.Equal(t, []int64{anna, olga}, others("a", otto), "visits in a row are one stay")

		leave()
		time.Sleep(time.Minute)
		require.Equal(t, []int64{olga}, others("a", otto), "a stay without a visit ends")

		leave = board.Enter("a", anna)
		second := board.Enter("a", anna) // in another tab
		leave()
		time.Sleep(time.Minute)
		require.Equal(t, []int64{anna, olga}, others("a", otto))
		leaveThere := board.Enter("b", anna)
		require.Equal(t, []int64{anna, olga}, others("a", otto), "a visit lasts while the same user has another record open")
		second()
		board.Enter("b", anna)()
		require.Equal(t, []int64{olga}, others("a", otto), "who has gone on to another record has left")
		require.Equal(t, []int64{anna}, others("b", otto))
		leaveThere()
		leaveOlga()
		time.Sleep(time.Minute)
		require.Empty(t, others("a", otto))
		require.Empty(t, others("b", otto))
	})
}

// Times are those of the bubble.
func TestBoard_Wait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board := presence.NewBoard[string]()
		var known []int64
		waited := func(act func()) time.Duration {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			began := time.Now()
			acted := make(chan struct{})
			go func() {
				defer close(acted)
				act()
			}()
			board.Wait(ctx, "a", otto, known)
			took := time.Since(began)
			<-acted
			known = board.Others("a", otto)
			return took
		}
		require.Equal(t, time.Minute, waited(func() { board.Enter("b", anna)() }), "another record is no news")
		var leave func()
		require.Equal(t, time.Second, waited(func() {
			time.Sleep(time.Second)
			leave = board.Enter("a", anna)
		}))
		require.Equal(t, time.Minute, waited(func() {
			leave()
			leave = board.Enter("a", anna)
		}), "a visit that follows is no news")
		require.Equal(t, 5*time.Second, waited(func() { leave() }), "a stay ends some time after its last visit")
		known = []int64{olga}
		require.Zero(t, waited(func() {}), "what is known is out of date")
	})
}
