#!/bin/sh
printf 'nur unter Windows\n' >&2
exit 2
