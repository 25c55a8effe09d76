program w
  integer :: i,j,k,n
  real(4) :: x(3,2,4,3), q(3,2,4,5)
  integer :: ib(3,2,4)
  do k=1,4; do j=1,2; do i=1,3
    x(i,j,k,1)=i-1; x(i,j,k,2)=10*(j-1); x(i,j,k,3)=100*(k-1)
    ib(i,j,k)=i+j+k-2
    do n=1,5; q(i,j,k,n)=1000*n+(i-1)+10*(j-1)+100*(k-1); end do
  end do; end do; end do
  open(1,file='whole.xyz',form='unformatted'); write(1) 1; write(1) 3,2,4; write(1) x, ib; close(1)
  open(1,file='whole.q',form='unformatted'); write(1) 1; write(1) 3,2,4; write(1) 0.5,1.0,2.0,3.0; write(1) q; close(1)
  open(1,file='planes.xyz',form='unformatted'); write(1) 1; write(1) 3,2,4
  do k=1,4; write(1) ((x(i,j,k,1),i=1,3),j=1,2),((x(i,j,k,2),i=1,3),j=1,2),((x(i,j,k,3),i=1,3),j=1,2), &
    ((ib(i,j,k),i=1,3),j=1,2); end do
  close(1)
  open(1,file='planes.q',form='unformatted'); write(1) 1; write(1) 3,2,4; write(1) 0.5,1.0,2.0,3.0
  do k=1,4; write(1) (((q(i,j,k,n),i=1,3),j=1,2),n=1,5); end do
  close(1)
end
