#!/bin/sh
printenv | cut -d= -f1 | sort
