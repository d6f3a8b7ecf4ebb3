"""The experiments of Thielscher 2013 (filtering with logic programs), repeated and taken further."""
