package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/publish"
)

// variableSigningKey is the environment variable with the keys that sign a manifest.
const variableSigningKey = "APGUARD_SIGNING_KEY"

// keyMode is the mode of a file with a key. Only its owner can read it.
const keyMode fs.FileMode = 0o600

// othersMode are the permissions of everybody but the owner.
const othersMode fs.FileMode = 0o077

// publishKey returns the command that makes a key.
func (p program) publishKey() *cli.Command {
	var name, file string
	return &cli.Command{
		Name:  "key",
		Usage: "make a key that signs manifests",
		Description: `Writes a new private key to a file that only its owner can read, and prints the verifier key, which clients need.
"apguard publish verifier" prints it again.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`NAME` of the key for clients, such as a domain, without spaces and +", Destination: &name},
			&cli.StringFlag{Name: "o", Usage: "`FILE` to write, which must not exist", Destination: &file, TakesFile: true},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			err := cmp.Or(noArguments(c), needs(c, "name", "o"))
			var private string
			if err == nil {
				private, err = publish.GenerateKey(name)
			}
			if err != nil {
				return wrongUsage(c, err)
			}
			key, err := publish.ParseKey(private)
			if err == nil {
				err = writeKey(file, private)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.stdout, key.Verifier())
			return err
		},
	}
}

// publishVerifier returns the command that prints the verifier keys of the signing keys.
func (p program) publishVerifier() *cli.Command {
	var file string
	return &cli.Command{
		Name:  "verifier",
		Usage: "print the verifier key of each signing key",
		Flags: []cli.Flag{signingKeyFlag(&file)},
		Action: func(_ context.Context, c *cli.Command) error {
			keys, err := p.env.signingKeys(file)
			if err := cmp.Or(noArguments(c), err); err != nil {
				return wrongUsage(c, err)
			}
			for _, key := range keys {
				if _, err := fmt.Fprintln(p.stdout, key.Verifier()); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// writeKey writes a key to a new file.
func writeKey(path, key string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, keyMode) //nolint:gosec // the operator names the file
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("-o: %s exists; choose another file", path)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, key)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// signingSecret returns the content of a file or, if its name is empty, the secret of the environment.
func (e environment) signingSecret(file string) (secret, error) {
	if file == "" {
		return e.secret(variableSigningKey)
	}
	content, err := os.ReadFile(file) //nolint:gosec // the operator names the file
	if failed := new(fs.PathError); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return secret{}, fmt.Errorf("-signing-key-file: the file cannot be read: %w", err) // the key may have been given by mistake
	}
	return secret{value: string(content), source: "-signing-key-file " + file}, nil
}

// warnOfKey warns if other users can read the file with the signing keys, of the flag or of the environment.
func (e environment) warnOfKey(file string, logger *slog.Logger) {
	if file == "" {
		file, _ = e(variableSigningKey + "_FILE")
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&othersMode != 0 && runtime.GOOS != "windows" {
		logger.Warn("other users may use the file with the signing key; make it readable for its owner only", "file", file,
			"mode", fmt.Sprintf("%04o", info.Mode().Perm()))
	}
}

// signingKeys returns the keys of a file or, if it is empty, of the environment. There is one on each line. No error
// contains a key.
func (e environment) signingKeys(file string) ([]publish.Key, error) {
	found, err := e.signingSecret(file)
	switch {
	case err != nil:
		return nil, err
	case found == secret{}:
		return nil, errors.New("-signing-key-file must be a file with the signing key; apguard publish key makes one")
	}
	var keys []publish.Key
	for line := range strings.FieldsSeq(found.value) {
		key, err := publish.ParseKey(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; give what apguard publish key wrote, not the verifier key", found.source, err)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s must not be empty", found.source)
	}
	return keys, nil
}
