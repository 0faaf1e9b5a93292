// Package output puts files in place: all of them or, as far as a file system
// allows, none.
package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// File is a change. Data nil removes the file.
type File struct {
	Path string
	Data []byte
}

// Write writes every file to a temporary one in the same folder first and
// renames them when all are complete, so that readers never see a partial file
// and an error leaves everything as it was. Processes that write the same files
// at once do not disturb each other.
func Write(ctx context.Context, files []File) (err error) {
	staged := make([]string, len(files))
	defer func() {
		for _, name := range staged {
			if name != "" {
				err = errors.Join(err, os.Remove(name))
			}
		}
	}()
	for i := range files {
		if files[i].Data == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// Through a symbolic link its target is replaced, not the link.
		if real, err := filepath.EvalSymlinks(files[i].Path); err == nil {
			files[i].Path = real
		}
		if staged[i], err = stage(files[i]); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, f := range files {
		if f.Data == nil {
			if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := os.Rename(staged[i], f.Path); err != nil {
			return err
		}
		staged[i] = ""
	}
	return nil
}

// stage writes a file's content under a temporary name, which the go command
// ignores for its leading dot. On an error nothing is left.
func stage(f File) (name string, err error) {
	mode := fs.FileMode(0o666) // less the umask, as for any new file
	if info, err := os.Stat(f.Path); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := create(f.Path, mode)
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(f.Data)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("writing %s: %w", f.Path, err), os.Remove(tmp.Name()))
	}
	return tmp.Name(), nil
}

// create opens a new file next to path. Unlike os.CreateTemp it leaves the
// permissions to the umask.
func create(path string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := filepath.Join(dir, "."+base+"."+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil || try > 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
