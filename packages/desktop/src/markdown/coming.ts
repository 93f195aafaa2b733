// Whether a text is still being written: then nothing of it is folded, and a formula may still be closed.
import { createContext } from 'react'

export const ComingContext = createContext(false)
