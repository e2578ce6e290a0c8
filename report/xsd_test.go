package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// xsd is a schema of XML, as far as the schemas of reports go: elements that
// refer to others in a fixed order, attributes, and words to choose from. What
// it does not know makes reading it fail. `.ci/readers` asks xmllint.
type xsd struct {
	Elements []struct {
		Name    string  `xml:"name,attr"`
		Type    string  `xml:"type,attr"`
		Complex xsdType `xml:"complexType"`
	} `xml:"element"`
	Simple []struct {
		Name  string    `xml:"name,attr"`
		Words []xsdWord `xml:"restriction>enumeration"`
	} `xml:"simpleType"`
}

type xsdWord struct {
	Value string `xml:"value,attr"`
}

type xsdType struct {
	Mixed    bool `xml:"mixed,attr"`
	Children []struct {
		Ref string `xml:"ref,attr"`
		Min string `xml:"minOccurs,attr"`
		Max string `xml:"maxOccurs,attr"`
	} `xml:"sequence>element"`
	Attributes []struct {
		Name string `xml:"name,attr"`
		Type string `xml:"type,attr"`
		Use  string `xml:"use,attr"`
	} `xml:"attribute"`
}

// xsdWords are the words of XML Schema that xsd reads.
var xsdWords = strings.Fields("schema element complexType simpleType sequence attribute restriction enumeration")

func readXSD(t *testing.T, path string) (s xsd) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for d := xml.NewDecoder(strings.NewReader(string(text))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			require.Contains(t, xsdWords, e.Name.Local)
		}
	}
	require.NoError(t, xml.Unmarshal(text, &s))
	require.NotEmpty(t, s.Elements)
	return s
}

// element is an element of a document that is checked.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

// check says what is wrong with a document whose root has that name.
func (s *xsd) check(document []byte, root string) error {
	var e element
	if err := xml.Unmarshal(document, &e); err != nil {
		return err
	}
	if e.XMLName.Local != root {
		return fmt.Errorf("root %s", e.XMLName.Local)
	}
	return s.element(&e)
}

func (s *xsd) element(e *element) error {
	name := e.XMLName.Local
	for _, declared := range s.Elements {
		if declared.Name != name {
			continue
		}
		if declared.Type == "xs:string" {
			declared.Complex.Mixed = true
		}
		if err := s.complex(e, &declared.Complex); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	return fmt.Errorf("no element %s", name)
}

func (s *xsd) complex(e *element, c *xsdType) error {
	if !c.Mixed && strings.TrimSpace(e.Text) != "" {
		return fmt.Errorf("text %q", e.Text)
	}
	rest := e.Children
	for _, child := range c.Children {
		n := 0
		for n < len(rest) && rest[n].XMLName.Local == child.Ref {
			n++
		}
		if child.Min != "0" && n == 0 || child.Max != "unbounded" && n > 1 {
			return fmt.Errorf("%d of %s", n, child.Ref)
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("%s is not expected", rest[0].XMLName.Local)
	}
	for i := range e.Children {
		if err := s.element(&e.Children[i]); err != nil {
			return err
		}
	}
	return s.attributes(e, c)
}

func (s *xsd) attributes(e *element, c *xsdType) error {
	given := map[string]string{}
	for _, a := range e.Attrs {
		given[a.Name.Local] = a.Value
	}
	for _, a := range c.Attributes {
		value, ok := given[a.Name]
		if !ok && a.Use == "required" {
			return fmt.Errorf("no %s", a.Name)
		}
		if ok && !s.value(a.Type, value) {
			return fmt.Errorf("%s is %q", a.Name, value)
		}
		delete(given, a.Name)
	}
	for name := range given {
		return fmt.Errorf("attribute %s", name)
	}
	return nil
}

var positive = regexp.MustCompile(`^\+?0*[1-9][0-9]*$`)

func (s *xsd) value(kind, value string) bool {
	switch kind {
	case "xs:string":
		return true
	case "xs:positiveInteger":
		return positive.MatchString(value)
	}
	for _, simple := range s.Simple {
		if simple.Name == kind {
			return slices.Contains(simple.Words, xsdWord{value})
		}
	}
	return false
}
