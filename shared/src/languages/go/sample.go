package gin

import (
	"net/http"
	alias "path/filepath"
)

// Engine routes requests.
type Engine struct {
	trees  int
	A, B   string
}

type Handler interface {
	ServeHTTP(w http.ResponseWriter)
}

type (
	H     map[string]any
	Alias = Engine
)

const (
	First = iota
	Second
)

var debug, _ = true, 1

// Run starts the engine.
func (engine *Engine) Run(addr ...string) error {
	local := 1
	return nil
}

func New[T any]() *Engine { return nil }
