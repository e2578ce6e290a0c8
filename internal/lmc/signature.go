package lmc

// signature is what the records of a block have in common. Parts that are
// already reported as invalid match any value.
type signature struct {
	Role, Type, Format string // of the start flag; of the first content where that is invalid
	Language           string // as in Record

	invalid InvalidParts // of the record that it was taken from
	fitted  *Record      // the last record that fits: the next Known one is often the same
}

// shape are the parts that decide to which block a record belongs.
const shape = InvalidRole | InvalidType | InvalidFormat

// signatureOf returns the signature of the block that r begins.
func signatureOf(r *Record) signature {
	return signature{
		Role: r.Role, Type: r.Type, Format: r.Format, Language: r.Language,
		invalid: r.Invalid &^ (InvalidContent | InvalidLine),
	}
}

// fits reports whether a record belongs to the block by its role, type and
// format.
func (s *signature) fits(r *Record) bool {
	if r.Known && s.fitted == r {
		return true
	}
	invalid := s.invalid | r.Invalid
	if s.Type == "" || r.Type == "" && r.Flag() {
		invalid |= InvalidType | InvalidFormat // a user's block in a session needs no type
	}
	fits := (invalid&InvalidRole != 0 || s.Role == r.Role) &&
		(invalid&InvalidType != 0 || s.Type == r.Type) &&
		(invalid&InvalidFormat != 0 || s.Type == "console" || s.sameFormat(r))
	if fits && invalid == 0 {
		s.fitted = r
	}
	return fits
}

// sameFormat compares formats. A start flag with a misspelled language may
// mean the language of its content.
func (s *signature) sameFormat(r *Record) bool {
	return s.Format == r.Format || s.invalid&InvalidLanguage != 0 && (s.Language == "" || s.Language == r.Language)
}

// adopt replaces invalid parts of the signature with those of a record that fits.
func (s *signature) adopt(r *Record) {
	if s.invalid&InvalidRole != 0 && !r.HasInvalid(InvalidRole) {
		s.Role = r.Role
	}
	if s.invalid&InvalidType != 0 && !r.HasInvalid(InvalidType) {
		s.Type = r.Type
	}
	if s.invalid&(InvalidFormat|InvalidLanguage) != 0 && !r.HasInvalid(InvalidFormat) {
		s.Format, s.Language = r.Format, r.Language
	}
	s.invalid &= r.Invalid
}
