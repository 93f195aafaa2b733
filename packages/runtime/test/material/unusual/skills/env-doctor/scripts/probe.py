#!/usr/bin/env python3
import os
print(sorted(os.environ))
