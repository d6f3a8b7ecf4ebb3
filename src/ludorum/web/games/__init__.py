"""Games as the web application offers them: cards of the library and of uploads, checks, first positions.

Rules of strangers are read in processes that can be killed; the library's are read in one so that the server
is not kept from answering meanwhile.
"""
